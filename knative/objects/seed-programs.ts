import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { routedTypes } from '../../shared/secondary/secondary.ts'
import type { CompactProgram, Deployment, EnvironmentVariable } from '../deployment.ts'
import { compactEnvironment, compactResources } from './compact-objects.ts'
import { environmentOf } from './function-service-object.ts'
import { gardenVariable } from './garden-volume.ts'
import { lastOfEach } from './last-of-each.ts'

/** The seed process sets these for each process that it starts. */
const ofSeedProcess = ['TRELLIS_REPORT_TO', 'TRELLIS_PORT', 'TRELLIS_ADDRESS']

/**
 * Returns the programs that the seed process starts (`TRELLIS_PROGRAMS`): the compact ones, and one for each other
 * function. Sorted, as Helm sorts the same text.
 */
export const seedPrograms = (deployment: Deployment): string => {
  const { functions, compact, gardenAccess, serviceOf } = deployment
  const shared = new Set(compact.flatMap(program => program.functions.map(({ name }) => name)))
  const alone = functions.filter(({ name }) => !shared.has(name))
  const programs = [
    ...compact.map(program => ({
      ...program,
      memory: compactResources.memory.limit,
      env: compactEnvironment(deployment, program),
    })),
    ...alone.map(definition => ({
      name: definition.name,
      functions: [definition],
      memory: serviceOf(definition).memory.limit,
      env: [...environmentOf(deployment, definition), ...serviceOf(definition).env],
    })),
  ].map(({ name, functions: own, memory, env }) => ({
    env: variablesOf(name, [...(own.some(gardenAccess) ? [gardenVariable] : []), ...env]),
    functions: byName(own).map(definition => functionOf(deployment, definition)),
    memory,
    name,
  }))
  return JSON.stringify(byName(programs))
}

const functionOf = ({ serviceOf }: Deployment, definition: FunctionDefinition) => {
  const { name, kind } = definition
  const types = routedTypes(definition)
  return { concurrency: serviceOf(definition).concurrency.value, kind, name, types }
}

/** A process writes its fatal report into a file of its own, because all of them share a pod. */
const variablesOf = (
  program: CompactProgram['name'],
  env: readonly EnvironmentVariable[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    byName(lastOfEach(env).filter(({ name }) => !ofSeedProcess.includes(name))).map(({ name, value }) => [
      name,
      name === 'NODE_OPTIONS' ? value.replace('trellis-fatal.json', `trellis-fatal-${program}.json`) : value,
    ]),
  )

const byName = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
