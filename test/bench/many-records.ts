import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FunctionProcess, functionProcesses } from '../../sandbox/seed/seed.ts'
import { startBenchSeed } from './bench-seed.ts'
import { type Benchmark, below, type Figure } from './figure.ts'
import { goExtension } from './measured-elsewhere.ts'

const records = 200

/** Creates many new records at once through one function process, from the bundle of the image. */
export const manyRecords: Benchmark = {
  name: 'many',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
    const kubeconfig = join(folder, 'kubeconfig')
    const processes: FunctionProcess[] = []
    const { seed, create } = await startBenchSeed({
      startFunction: ({ cloudUrls, kubeconfig: text }) => {
        const start = functionProcesses({
          kubeconfig,
          env: {
            AWS_ENDPOINT_URL: cloudUrls.aws,
            TRELLIS_LOG_LEVEL: 'info',
          },
          programOf: ({ name }) => `dist/bundles/${name}/main.cjs`,
        })
        return async fn => {
          await writeFile(kubeconfig, text, { mode: 0o600 })
          const running = await start(fn)
          processes.push(running)
          return running
        }
      },
    })
    try {
      const began = performance.now()
      await create(Array.from({ length: records }, (_, index) => index))
      const seconds = (performance.now() - began) / 1000
      if (processes.length !== 1) throw new Error(`${processes.length} function processes ran, not one`)
      return [
        {
          name: `${records} new records at once, one function process`,
          value: seconds,
          unit: 's',
          target: below(4),
          reference: goExtension(7.4),
          with: 'bundle, its start included; Route 53 without a rate limit',
        },
        ...(await memoryOf(processes[0]?.pid)),
      ]
    } finally {
      await seed.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** Current and peak resident memory of a process, if the system reports it. */
const memoryOf = async (pid: number | undefined): Promise<readonly Figure[]> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const mib = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  const [now, peak] = [mib('VmRSS'), mib('VmHWM')]
  return Number.isNaN(now)
    ? []
    : [
        { name: 'resident memory of the function afterwards', value: now, unit: 'MiB' },
        { name: 'resident memory of the function, highest', value: peak, unit: 'MiB' },
      ]
}
