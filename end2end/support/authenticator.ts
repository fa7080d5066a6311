// An authenticator app: the codes of RFC 6238, as a phone makes them of a key and the time.
import { createHmac } from 'node:crypto';

const STEP = 30_000;

/** What the app shows for a key, so many half minutes from now. */
export function codeOf(key: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP) + steps));
  const mac = createHmac('sha1', bytes(key)).update(counter).digest();
  const number = mac.readUInt32BE(mac[mac.length - 1] & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** A code that the app does not show now, nor a while before or after. */
export function wrongCode(key: string): string {
  const right = [-3, -2, -1, 0, 1, 2, 3].map((steps) => codeOf(key, steps));
  for (let n = 0; ; n++) {
    const code = String(n).padStart(6, '0');
    if (!right.includes(code)) return code;
  }
}

/** A key as it is typed: Base32, in groups. */
function bytes(key: string): Buffer {
  const bits = [...key.replaceAll(' ', '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
