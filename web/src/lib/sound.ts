/** Short sounds, made on the spot: a rattle for dice, a thud for losses, a chime for your turn. Off unless asked for. */

import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

function tone(from: number, to: number, seconds: number, volume: number, type: OscillatorType, delay = 0): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  const start = context.currentTime + delay;
  const [wave, gain] = [context.createOscillator(), context.createGain()];
  wave.type = type;
  wave.frequency.setValueAtTime(from, start);
  wave.frequency.exponentialRampToValueAtTime(to, start + seconds);
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  wave.connect(gain).connect(context.destination);
  wave.start(start);
  wave.stop(start + seconds);
}

export function rattle(dice: number): void {
  for (let k = 0; k < Math.min(dice, 6); k++) tone(900 + 90 * k, 300, 0.05, 0.08, "square", k * 0.045);
}

export const thud = (): void => tone(140, 50, 0.18, 0.2, "sine");

export function chime(): void {
  tone(660, 650, 0.15, 0.08, "sine");
  tone(880, 870, 0.25, 0.08, "sine", 0.12);
}
