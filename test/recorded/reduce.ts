import { workerCases } from '../beside/beside.ts'

/** Takes from a recording what the tests compare. */
type Reduce = (recording: unknown) => unknown

const whole: Reduce = recording => recording

const reductions: readonly { readonly files: readonly string[]; readonly reduce: Reduce }[] = [
  { files: ['health.json', 'worker/errors.json', 'worker/hash-vectors.json'], reduce: whole },
  { files: workerCases.map(name => `worker/${name}.json`), reduce: whole },
]

/** How each file of recordings is reduced, by its name. */
export const reducedFiles: ReadonlyMap<string, Reduce> = new Map(
  reductions.flatMap(({ files, reduce }) => files.map(file => [file, reduce] as const)),
)
