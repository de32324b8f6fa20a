import { expect, it } from "vitest";
import { hex, sha256 } from "./sha256";

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

it("gives the published hashes", () => {
  expect(sha256(text(""))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256(text("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  expect(sha256(text(long))).toBe("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
});

it("writes bytes as hex digits", () => {
  expect(hex(new Uint8Array([0, 15, 255]))).toBe("000fff");
});
