/** SHA-256 of bytes, as hex digits. Written out, because the browser's own is missing on pages of a local network. */

const K = new Uint32Array(64);
const START = new Uint32Array(8);

/** The first bits of the fractions of square and cube roots of primes, as the standard has them. */
function fill(): void {
  let found = 0;
  for (let n = 2; found < 64; n++) {
    let prime = true;
    for (let k = 2; k * k <= n; k++) if (n % k === 0) prime = false;
    if (!prime) continue;
    if (found < 8) START[found] = (Math.sqrt(n) % 1) * 2 ** 32;
    K[found++] = (Math.cbrt(n) % 1) * 2 ** 32;
  }
}
fill();

const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

function padded(data: Uint8Array): DataView {
  const length = ((data.length + 8) >> 6) + 1;
  const whole = new Uint8Array(length * 64);
  whole.set(data);
  whole[data.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 4, data.length * 8);
  return view;
}

function block(state: Uint32Array, view: DataView, at: number): void {
  const w = new Uint32Array(64);
  for (let k = 0; k < 16; k++) w[k] = view.getUint32(at + 4 * k);
  for (let k = 16; k < 64; k++) {
    const [a, b] = [w[k - 15]!, w[k - 2]!];
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[k] = w[k - 16]! + s0 + w[k - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let k = 0; k < 64; k++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[k]! + w[k]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, k) => (state[k] = state[k]! + value));
}

export const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function sha256(data: Uint8Array): string {
  const state = START.slice();
  const view = padded(data);
  for (let at = 0; at < view.byteLength; at += 64) block(state, view, at);
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}
