/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import { GERMAN } from "./german";

const raw = import.meta.glob<string>("../**/*.{svelte,ts}", { query: "?raw", import: "default", eager: true });
const sources = Object.entries(raw).filter(([name]) => !/\.test\.ts$|german\.ts$/.test(name));
/** Comments out: they may quote a text. */
const code = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, "");
const used = sources.flatMap(([, text]) => [...code(text).matchAll(/\bt\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g)].map((found) => found[1] ?? found[2]!));
const plurals = sources.flatMap(([, text]) => [...code(text).matchAll(/plural\([^"]*?"([^"]+)", "([^"]+)"\)/g)].flatMap((found) => [found[1]!, found[2]!]));
const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!).sort();

describe("the catalogue", () => {
  it("has every text of the page", () => {
    expect([...used, ...plurals].filter((text) => !(text in GERMAN))).toEqual([]);
  });

  it("holds no text that nobody uses", () => {
    const all = sources.map(([, text]) => text).join("\n");
    const served = ["Waiting", "Reserve", "Destroyed", "Merged", "Cover", "Difficult", "Dangerous", "Impassable", "Elevation", "Open"];
    expect(Object.keys(GERMAN).filter((text) => !all.includes(`"${text}"`) && !all.includes(`'${text}'`) && !served.includes(text))).toEqual([]);
  });

  it("keeps what is filled in", () => {
    expect(Object.entries(GERMAN).filter(([english, german]) => names(english).join() !== names(german).join())).toEqual([]);
  });

  it("leaves no words of the page's own outside the catalogue", () => {
    const bare = sources.filter(([name]) => name.endsWith(".svelte")).flatMap(([name, text]) => {
      const markup = code(text).replaceAll(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, "");
      const loose = [...markup.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*)\s*</g)].map((found) => found[1]!);
      const labels = [...markup.matchAll(/(?:aria-label|title|placeholder)="([^"{]+)"/g)].map((found) => found[1]!);
      return [...loose, ...labels].filter((word) => word !== "Rolloff").map((word) => `${name}: ${word}`);
    });
    expect(bare).toEqual([]);
  });
});
