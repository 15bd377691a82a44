// The socket: questions with answers, news, and a connection that comes back.

import { readFrame, type Frame, type Hello } from "./types";

export type Status = "connecting" | "open" | "lost" | "refused" | "full";
type Waiting = { done: (said: unknown) => void; failed: (error: Error) => void };

export class Link {
  onStatus: (status: Status) => void = () => {};
  onNews: (news: Record<string, unknown>) => void = () => {};
  onFrame: (frame: Frame) => void = () => {};
  onHello: (hello: Hello, again: boolean) => void = () => {};
  /** What a new server is told of the game that this page shows. */
  hello: () => Record<string, unknown> = () => ({});
  bytes = 0;

  private socket: WebSocket | null = null;
  private next = 1;
  private waiting = new Map<number, Waiting>();
  private failures = 0;
  private met = false;

  constructor(private token: string) {}

  open(): void {
    this.onStatus(this.met ? "lost" : "connecting");
    const socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(this.token)}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = async () => {
      try {
        const hello = (await this.ask("hello", this.hello())) as Hello;
        const again = this.met;
        this.met = true;
        this.failures = 0;
        this.onStatus("open");
        this.onHello(hello, again);
      } catch {
        // what this page had kept cannot be restored: begin anew
        sessionStorage.clear();
        socket.close();
      }
    };
    socket.onmessage = (event) => {
      if (typeof event.data !== "string") {
        const data = event.data as ArrayBuffer;
        this.bytes += data.byteLength;
        this.onFrame(readFrame(data));
        return;
      }
      this.bytes += event.data.length;
      const message = JSON.parse(event.data) as { id?: number; said?: unknown; error?: string };
      const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
      if (waiting && message.id !== undefined) {
        this.waiting.delete(message.id);
        if (message.error !== undefined) waiting.failed(new Error(message.error));
        else waiting.done(message.said);
      } else this.onNews(message as Record<string, unknown>);
    };
    socket.onclose = (event) => {
      for (const { failed } of this.waiting.values()) failed(new Error("the studio is not there"));
      this.waiting.clear();
      this.failures += 1;
      if (event.code === 1013) this.onStatus("full");
      else void this.explain();
      setTimeout(() => this.open(), Math.min(4000, 300 * this.failures));
    };
  }

  /** A socket that is refused looks like one that nobody answers: ask in another way. */
  private async explain(): Promise<void> {
    try {
      const answer = await fetch(`/ping?token=${encodeURIComponent(this.token)}`);
      this.onStatus(answer.status === 403 ? "refused" : "lost");
    } catch {
      this.onStatus("lost");
    }
  }

  ask(what: string, more: Record<string, unknown> = {}): Promise<unknown> {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("the studio is not there"));
    const text = JSON.stringify({ id: this.next, do: what, ...more });
    if (text.length > 950_000) return Promise.reject(new Error("this is too long for the studio: at most 900,000 characters"));
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      socket.send(text);
    });
  }
}
