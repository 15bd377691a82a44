// Colours of values: blue is good for Max, red for Min, the middle is a draw.

import { real } from "./dom";
import type { Blocks, Head } from "./types";

type Rgb = [number, number, number];
const LIGHT: Record<string, Rgb> = { low: [214, 96, 77], middle: [240, 240, 240], high: [67, 147, 195] };
const DARK: Record<string, Rgb> = { low: [196, 84, 68], middle: [78, 84, 96], high: [62, 136, 196] };

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Where the middle is, and how far the colours go; the scale of a lane widens and never jumps back. */
export class Scale {
  draw = 0;
  half = 0;

  see(head: Head, blocks: Blocks | null): void {
    this.draw = head.draw ?? 0;
    if (!blocks) return;
    const low = real(head.range?.[0]), high = real(head.range?.[1]);
    const far: number[] = [];
    for (let n = 0; n < blocks.count; n++) {
      const value = blocks.value[n]!;
      if (Number.isFinite(value) && value > low && value < high) far.push(Math.abs(value - this.draw));
    }
    far.sort((a, b) => a - b);
    const most = far[Math.floor(far.length * 0.9)] ?? 0;
    // values that hardly differ are not to look like won and lost
    const least = Number.isFinite(high - low) ? 0.025 * (high - low) : 1;
    this.half = Math.max(this.half, most, least);
  }

  place(value: number): number {
    if (value === Infinity) return 1;
    if (value === -Infinity) return 0;
    const half = this.half || 1;
    return Math.min(1, Math.max(0, 0.5 + (value - this.draw) / (2 * half)));
  }

  rgb(value: number, dark = isDark()): Rgb {
    const table = dark ? DARK : LIGHT;
    const place = this.place(value);
    const end = place >= 0.5 ? table.high! : table.low!;
    const part = Math.abs(2 * place - 1);
    return table.middle!.map((a, n) => Math.round(a + (end[n]! - a) * part)) as Rgb;
  }

  css(value: number, opacity = 1): string {
    const [r, g, b] = this.rgb(value);
    return `rgba(${r},${g},${b},${opacity})`;
  }
}

export function ink(dark = isDark()): string {
  return dark ? "#f2f4f8" : "#14181f";
}
