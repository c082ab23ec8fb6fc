import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = fileURLToPath(new URL('coverage.cjs', import.meta.url))

/** The calls of each function between a request and its response, by source file (relative to the repository root). */
export type RanFiles = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The environment of a process that writes coverage reports to this folder. */
export const coverageEnvironment = (folder: string) => ({
  NODE_OPTIONS: `--require=${program}`,
  NODE_V8_COVERAGE: folder,
})

interface Report {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

/** Returns the coverage of each request, in order. Code that runs at module load is not counted. */
export const ranFiles = async (folder: string): Promise<readonly RanFiles[]> => {
  const reports = (await readdir(folder)).filter(name => name.startsWith('coverage-')).sort()
  // The first report covers the start, the last one the end.
  const ofRequests = reports.filter((_, index) => index % 2 === 1)
  return Promise.all(
    ofRequests.map(async name => filesOf(JSON.parse(await readFile(join(folder, name), 'utf8')) as Report)),
  )
}

/** Returns the source files in which a function ran, according to one coverage report. */
export const filesOfReport = async (report: string): Promise<readonly string[]> => [
  ...filesOf(JSON.parse(await readFile(report, 'utf8')) as Report).keys(),
]

const filesOf = ({ result }: Report): RanFiles =>
  new Map(
    result
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url, functions }) => [relative(root, fileURLToPath(url)), callsOf(functions)] as const)
      .filter(
        ([file, calls]) =>
          calls.size > 0 && file.endsWith('.ts') && !file.startsWith('..') && !file.includes('node_modules'),
      ),
  )

const callsOf = (functions: Report['result'][number]['functions']): ReadonlyMap<string, number> =>
  new Map(
    functions.flatMap(({ functionName, ranges: [whole] }) => {
      // The unnamed function at the beginning of a file is the module itself.
      if (whole === undefined || whole.count === 0 || (functionName === '' && whole.startOffset === 0))
        return []
      return [[`${functionName}@${whole.startOffset}`, whole.count] as const]
    }),
  )

/**
 * A reader who follows an event stops at these modules. The ports to the API server, the cloud, the clock, the log and
 * the metrics decide nothing about the event. The contract with its decoders and texts is reference. Only here the
 * program listens on loopback, and so refuses pages.
 */
const beyondThePath = [
  'shared/kubernetes/',
  'shared/clock/',
  'shared/log/',
  'shared/runtime/metrics.ts',
  'shared/runtime/reports/reported-metrics.ts',
  'shared/contract/',
  'shared/decode/',
  'shared/loopback/',
  'shared/text/',
  'terraform-free-infra/cloud/',
  'terraform-free-infra/aws/account/client/',
  'terraform-free-infra/aws/account/credentials/',
]

/** True for a file that a reader opens: not a port, and not the contract. */
export const isOnThePath = (file: string): boolean => !beyondThePath.some(room => file.startsWith(room))
