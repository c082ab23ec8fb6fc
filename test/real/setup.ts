import type { TestProject } from 'vitest/node'
import { type KubePrograms, kubePrograms } from './programs/kube-programs.ts'
import { type ProgramPart, partOf } from './programs/part.ts'
import { type PythonPrograms, pythonPrograms } from './programs/python-programs.ts'
import { type RegistryPrograms, registryPrograms } from './programs/registry-program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly kube: ProgramPart<KubePrograms>
    readonly python: ProgramPart<PythonPrograms>
    readonly registry: ProgramPart<RegistryPrograms>
  }
}

/** Vitest's global set-up: builds or finds the programs once, before any suite. In CI all of them are required. */
export const setup = async (project: TestProject): Promise<void> => {
  const required = process.env.CI === 'true'
  const kube = await partOf(() => kubePrograms(process.env), required)
  const python = await partOf(() => pythonPrograms(process.env), required)
  const registry = await partOf(() => registryPrograms(process.env), required)
  project.provide('kube', kube)
  project.provide('python', python)
  project.provide('registry', registry)
  for (const part of [kube, python, registry]) if ('missing' in part) console.warn(`SKIPPED: ${part.missing}`)
}
