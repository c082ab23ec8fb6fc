import type { TestProject } from 'vitest/node'
import { type ProgramPart, partOf } from '../../build/programs/programs.ts'
import { type PodMachinePrograms, podMachinePart } from './knative/machine/pod-machine-part.ts'
import { type HelmPrograms, helmPrograms } from './programs/helm-programs.ts'
import { type KnativePrograms, knativePrograms } from './programs/knative-programs.ts'
import { type KubePrograms, kubePrograms } from './programs/kube-programs.ts'
import { type PromtoolProgram, promtoolProgram } from './programs/promtool-program.ts'
import { type PythonPrograms, pythonPrograms } from './programs/python-programs.ts'
import { type RegistryPrograms, registryPrograms } from './programs/registry-program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly kube: ProgramPart<KubePrograms>
    readonly helm: ProgramPart<HelmPrograms>
    readonly python: ProgramPart<PythonPrograms>
    readonly registry: ProgramPart<RegistryPrograms>
    readonly knative: ProgramPart<KnativePrograms>
    readonly machine: ProgramPart<PodMachinePrograms>
    readonly promtool: ProgramPart<PromtoolProgram>
  }
}

/** Vitest's global set-up. Builds or finds the programs once, before any suite. In CI all of them are required. */
export const setup = async (project: TestProject): Promise<void> => {
  const required = process.env.CI === 'true'
  const kube = await partOf(() => kubePrograms(process.env), required)
  const python = await partOf(() => pythonPrograms(process.env), required)
  const registry = await partOf(() => registryPrograms(process.env), required)
  const helm = await partOf(() => helmPrograms(process.env), required)
  const promtool = await partOf(() => promtoolProgram(process.env), required)
  const knative = await partOf(() => knativePrograms(process.env), required)
  const machine = await partOf(podMachinePart, required)
  project.provide('kube', kube)
  project.provide('knative', knative)
  project.provide('helm', helm)
  project.provide('python', python)
  project.provide('registry', registry)
  project.provide('promtool', promtool)
  project.provide('machine', machine)
  for (const part of [kube, helm, python, registry, promtool, machine, knative])
    if ('missing' in part) console.warn(`SKIPPED: ${part.missing}`)
}
