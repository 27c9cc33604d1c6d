// The named curves the reference knows, y² = x³ - 3x + b over a prime field. A key that is no point of its curve is not
// decoded there, so it must not be here.

export interface Curve {
  readonly bits: number;
  readonly p: bigint;
  readonly b: bigint;
}

// SEC 2, sections 2.4.2, 2.5.1, 2.6.1.
export const NAMED_CURVES: ReadonlyMap<string, Curve> = new Map([
  [
    "1.3.132.0.33",
    {
      bits: 224,
      p: 2n ** 224n - 2n ** 96n + 1n,
      b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
    },
  ],
  [
    "1.2.840.10045.3.1.7",
    {
      bits: 256,
      p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
      b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    },
  ],
  [
    "1.3.132.0.34",
    {
      bits: 384,
      p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
      b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    },
  ],
  [
    "1.3.132.0.35",
    {
      bits: 521,
      p: 2n ** 521n - 1n,
      b: 0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    },
  ],
]);

/** Whether `point` is an uncompressed point (SEC 1, section 2.3.4) of the curve. */
export function isOnCurve(curve: Curve, point: Uint8Array): boolean {
  const size = Math.ceil(curve.bits / 8);
  if (point.length !== 1 + 2 * size || point[0] !== 4) return false;
  const x = toNumber(point.subarray(1, 1 + size));
  const y = toNumber(point.subarray(1 + size));
  const { p, b } = curve;
  return x < p && y < p && (y * y - (x * x * x - 3n * x + b)) % p === 0n;
}

function toNumber(bytes: Uint8Array): bigint {
  let hex = "0x";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return BigInt(hex);
}
