/**
 * Returns the seed and number of runs of the property tests. Without one, the seed is that of all properties (`SEED`).
 * Test names contain them; a failure also prints the path to its smallest case. To replay it:
 * `TRELLIS_PROPERTY_SEED=<seed> TRELLIS_PROPERTY_PATH=<path> npx vitest run --config test/vitest.deep.config.ts
 * bridge/property`.
 */
export const replay = (
  runs: number,
): { readonly seed: number; readonly numRuns: number; readonly path?: string } => {
  const {
    TRELLIS_PROPERTY_SEED: seed,
    TRELLIS_PROPERTY_PATH: path,
    TRELLIS_PROPERTY_RUNS: wanted,
  } = process.env
  return {
    seed: Number(seed ?? process.env.SEED ?? 1),
    numRuns: Number(wanted ?? runs),
    ...(path === undefined ? {} : { path }),
  }
}
