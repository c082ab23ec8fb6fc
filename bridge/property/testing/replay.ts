/**
 * Seed and number of runs of the property tests. They are in the names of the tests; a failure prints the path to its
 * smallest case as well. To play it again:
 * `TRELLIS_PROPERTY_SEED=<seed> TRELLIS_PROPERTY_PATH=<path> npx vitest run bridge/property`.
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
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(seed),
    numRuns: Number(wanted ?? runs),
    ...(path === undefined ? {} : { path }),
  }
}
