// What the server says.

export interface Cell { x: number; y: number; r: number; tall?: number }
export interface Move { move: string; name: string; cells: string[] }
export interface Picture { svg: string | null; text: string; mover: string; outcome: number | string | null }
export interface Board extends Picture {
  cells: Record<string, Cell>;
  moves: Move[];
  count: number;
  to_move: "max" | "min";
  sides: Record<"max" | "min", string>;
  winner: "max" | "min" | "neither" | null;
  notation: string;
  range: [number | string, number | string];
}
export interface Step { parent: number | null; move: string | null; name: string; value: number | string | null }
export interface Choice {
  player?: string;
  search?: string;
  evaluator?: string;
  parameters?: Record<string, unknown>;
  level?: number;
  budget?: Record<string, number>;
}
export interface State {
  session: string;
  game: string;
  options: Record<string, unknown>;
  start: string;
  steps: Step[];
  current: number;
  sides: Record<"max" | "min", Choice | null>;
  paused: boolean;
  thinking: string;
  flag: string;
  clock: { max: number; min: number; runs: "max" | "min" | null } | null;
  players: { name: string; about: string; tree: boolean }[];
  evaluators: string[];
  board: Board;
}
export interface Option { name: string; default: unknown; type: string; about: string; choices: string[] | null }
export interface SearchInfo { name: string; about: string; paper: string; tree: boolean; parameters: Option[] }
export interface Tour { name: string; title: string; paper: string; rule: string; stops: string[] }
export interface Hello {
  version: string;
  games: { name: string; options: Option[]; own: boolean }[];
  searches: SearchInfo[];
  tours: Tour[];
  units: string[];
  levels: number;
  state: State;
  lanes: string[];
}
export interface NodeFacts {
  path: number[];
  move: string;
  value: number | string;
  max: boolean;
  solved: boolean;
  terminal: boolean;
  open: boolean;
  children: number;
  size: number | null;
  numbers: Record<string, unknown>;
  /** How likely each outcome is, where somebody knows. */
  chances?: [number | string, number][];
  more?: number;
  kids?: NodeFacts[];
}
export interface Sample {
  expansions: number;
  nodes: number;
  value: number | string;
  seconds: number;
  shares?: number[];
  one?: [number | string, number | string];
  three?: [number | string, number | string];
}
export interface Said {
  step?: number;
  of?: number;
  leaf?: number[];
  line?: string;
  why?: string;
  change?: string;
  stop?: number;
  stops?: number;
  text?: string;
}
export interface Head {
  lane: string;
  running: boolean;
  failed: string;
  player: string;
  rule: string;
  tree: boolean;
  doubts?: boolean;
  root: string;
  made?: number;
  wall?: number;
  cpu?: number;
  expansions?: number;
  nodes?: number;
  depth?: number;
  seconds?: number;
  value?: number | string;
  status?: string;
  move?: string;
  line?: string[];
  range?: [number | string, number | string];
  draw?: number;
  confidence?: number | null;
  probabilities?: Record<string, number> | null;
  left?: number;
  right?: number;
  labels?: Record<string, string>;
  shares?: number[];
  sample?: Sample | null;
  above?: NodeFacts[];
  node?: NodeFacts;
  whole?: NodeFacts | null;
  principal?: number[];
  replay?: Said;
  facts?: { expansions: number; nodes: number; value: number | string; seconds: number; depth: number };
}
/** A growing tree does not tell of its nodes with every picture: what was told last holds until then. */
export function withNodes(head: Head, last: Head | null | undefined): void {
  if (head.node || !last || last.root !== head.root) return;
  const { above, node, whole, principal } = last;
  Object.assign(head, { above, node, whole, principal });
}

/** The blocks of a tree, in columns. */
export interface Blocks {
  count: number;
  parent: Uint32Array;
  place: Uint32Array;
  left: Float32Array;
  width: Float32Array;
  value: Float32Array;
  size: Uint32Array;
  mark: Uint32Array;
  merged: Uint32Array;
}
export interface Frame { head: Head; blocks: Blocks | null }

export const MAX = 1, TERMINAL = 2, SOLVED = 4, LEAF = 8, MERGED = 16;

export function readFrame(data: ArrayBuffer): Frame {
  const length = new DataView(data).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as Head;
  return { head, blocks: readBlocks(data, 4 + length) };
}

export function readBlocks(data: ArrayBuffer, from: number): Blocks {
  const count = (data.byteLength - from) / 32;
  const words = (column: number) => new Uint32Array(data, from + column * 4 * count, count);
  const reals = (column: number) => new Float32Array(data, from + column * 4 * count, count);
  return {
    count, parent: words(0), place: words(1), left: reals(2), width: reals(3), value: reals(4), size: words(5),
    mark: words(6), merged: words(7),
  };
}

export function pathOf(blocks: Blocks, block: number): number[] {
  const path: number[] = [];
  while (block > 0) {
    path.push(blocks.place[block]!);
    block = blocks.parent[block]!;
  }
  return path.reverse();
}
