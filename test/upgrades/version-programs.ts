import { join, relative } from 'node:path'
import { type FunctionProcess, functionProcesses, type SeedFunction } from '../../sandbox/seed/seed.ts'
import { type BridgeProcess, bridgeProcesses } from '../bridge/bridge-process.ts'
import { repository, type Version } from './versions.ts'

/** The programs of one version: bridges and functions, each in a process of its own. */
export interface VersionPrograms {
  startFunction(fn: SeedFunction, env: Readonly<Record<string, string>>): Promise<FunctionProcess>
  startBridge(env: Readonly<Record<string, string>>): BridgeProcess
  killAll(): void
}

export interface VersionProgramsOptions {
  readonly version: Pick<Version, 'addressVariable'>
  /** The folder of its sources. */
  readonly folder: string
  readonly kubeconfig: string
}

/** Waits of a cloud at a hundredth of their durations, in the functions that have them. */
const scaled = new Set(['aws-infrastructure', 'aws-bastion'])

export const versionPrograms = ({ version, folder, kubeconfig }: VersionProgramsOptions): VersionPrograms => {
  const named = renamedAddress(version)
  const files = new Map<string, string>()
  const start = functionProcesses({
    kubeconfig,
    argsOf: ({ name }) => [...named, join(folder, 'functions/main.ts'), files.get(name) ?? ''],
  })
  const running = new Set<FunctionProcess>()
  const bridges = bridgeProcesses()
  return {
    startFunction: async (fn, env) => {
      files.set(fn.name, join(folder, relative(repository, fn.file)))
      const own = { ...env, ...(scaled.has(fn.name) && { TRELLIS_WAIT_SCALE: '0.02' }) }
      const started = await start(fn, { env: own })
      running.add(started)
      void started.ended?.then(() => running.delete(started))
      return started
    },
    startBridge: env =>
      bridges.start({ TRELLIS_KUBECONFIG: kubeconfig, TRELLIS_KINDS: '', ...env }, [
        ...named,
        join(folder, 'bridge/main.ts'),
      ]),
    killAll: () => {
      bridges.killAll()
      for (const one of running) void one.kill()
    },
  }
}

/** Each version refuses variables that it does not know. The starters set the name of this version. */
export const renamedAddress = ({ addressVariable }: Pick<Version, 'addressVariable'>): readonly string[] =>
  addressVariable === 'TRELLIS_ADDRESS'
    ? []
    : [
        '--import',
        `data:text/javascript,delete process.env.TRELLIS_ADDRESS;process.env.${addressVariable}='127.0.0.1'`,
      ]
