import { relative } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type ProgramPart, partOf } from '../../build/programs/programs.ts'
import { podMachinePart } from './knative/machine/pod-machine-part.ts'
import { realSuites } from './parts.ts'
import { actionlintProgram } from './programs/actionlint-program.ts'
import { browserProgram } from './programs/browser-program.ts'
import { cosignProgram } from './programs/cosign-program.ts'
import { gardenPrograms, gardenShootPrograms } from './programs/garden-programs.ts'
import { gardenerModules } from './programs/gardener-modules.ts'
import { gardenerPrograms } from './programs/gardener-programs.ts'
import { gardenletProgram } from './programs/gardenlet-program.ts'
import { helmPrograms } from './programs/helm-programs.ts'
import { knativePrograms } from './programs/knative-programs.ts'
import { kubePrograms } from './programs/kube-programs.ts'
import { openstackPrograms } from './programs/openstack-programs.ts'
import { operatorPrograms } from './programs/operator-programs.ts'
import { promtoolProgram } from './programs/promtool-program.ts'
import { pythonPrograms } from './programs/python-programs.ts'
import { registryPrograms } from './programs/registry-program.ts'

/** The programs that suites ask for, in the sequence in which they are built: go uses all cores for one. */
const programs = {
  kube: kubePrograms,
  gardener: gardenerPrograms,
  gardenlet: async (environment: NodeJS.ProcessEnv) => ({
    ...(await kubePrograms(environment)),
    ...(await gardenletProgram(environment)),
  }),
  registry: registryPrograms,
  actionlint: actionlintProgram,
  cosign: cosignProgram,
  helm: helmPrograms,
  promtool: promtoolProgram,
  machine: podMachinePart,
  knative: knativePrograms,
  garden: gardenPrograms,
  'garden-operator': operatorPrograms,
  'garden-shoot': gardenShootPrograms,
  modules: gardenerModules,
  browser: browserProgram,
  openstack: openstackPrograms,
  python: pythonPrograms,
}

type Programs = {
  readonly [Name in keyof typeof programs]: ProgramPart<Awaited<ReturnType<(typeof programs)[Name]>>>
}
declare module 'vitest' {
  interface ProvidedContext extends Programs {}
}

/**
 * Vitest's global set-up. Builds or finds the programs of the selected suites once, before any suite. In CI they are
 * required.
 */
export const setup = async (project: TestProject): Promise<void> => {
  const needed = await neededPrograms(project)
  const provide = async <Name extends keyof Programs>(name: Name) => {
    if (!needed.has(name)) return
    const start = performance.now()
    const part = await partOf<object>(() => programs[name](process.env), process.env.CI === 'true')
    const seconds = Math.round((performance.now() - start) / 1000)
    if (seconds > 5) console.info(`prepared the programs of ${name} in ${seconds} s`)
    if ('missing' in part) console.warn(`SKIPPED: ${part.missing}`)
    project.provide(name, part as Programs[Name])
  }
  const { python, ...others } = programs
  const one = async () => {
    for (const name of Object.keys(others)) await provide(name as keyof Programs)
  }
  await Promise.all([one(), provide('python')])
}

/** Vitest's path filters are not in its public types. Without them, all suites are selected. */
const neededPrograms = async (project: TestProject): Promise<ReadonlySet<string>> => {
  const filters: string[] | undefined = Object(project.vitest).filenamePattern
  const { testFiles } = await project.globTestFiles(filters)
  const selected = new Set(testFiles.map(file => relative(import.meta.dirname, file)))
  return new Set(realSuites().flatMap(({ path, programs }) => (selected.has(path) ? programs : [])))
}
