import { createRequire } from 'node:module'
import * as z from 'zod'
import type { KindName, kinds } from '../contract/kinds.ts'
import type { KubernetesObject } from '../kubernetes/port.ts'
import type { Actuator } from '../lifecycle/actuator.ts'
import type { Backend } from '../lifecycle/backend.ts'
import type { FunctionDefinition, FunctionDeps } from './definition/definition.ts'

/** The object of a kind, as the schema of the kind parses it. */
type ObjectOf<K extends KindName> = z.output<(typeof kinds)[K]['schema']> & KubernetesObject

/** What an author says of a function. */
export interface FunctionOptions<K extends KindName, S extends z.ZodObject, Connection>
  extends Omit<Backend, 'kind' | 'actuator'> {
  readonly name: string
  readonly kind: K
  readonly settings?: S
  readonly create: (settings: Readonly<z.output<S>>, deps: FunctionDeps<Connection>) => Actuator<ObjectOf<K>>
}

/** Defines a function. In a process of the functions framework it is registered there, under its name. */
export const defineFunction = <
  const K extends KindName,
  S extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Connection = unknown,
>(
  options: FunctionOptions<K, S, Connection>,
): FunctionDefinition => {
  const create = options.create as unknown as FunctionDefinition['create']
  const definition = { ...options, settings: options.settings ?? z.object({}), create }
  registerIfFramework(definition)
  return definition
}

const registerIfFramework = ({ name, settings, create, ...backend }: FunctionDefinition): void => {
  const { main } = createRequire(`${process.cwd()}/`)
  if (!main?.filename?.includes('/node_modules/@google-cloud/functions-framework/')) return
  const framework = createRequire(main.filename)('@google-cloud/functions-framework')
  const wired = (async () => {
    const { extensionFunction } = await import('./extension-function.ts')
    const { frameworkHandler } = await import('./framework.ts')
    const { hostSettings } = await import('./host-settings.ts')
    const { wireFunction, startFailure } = await import('./wire-function.ts')
    const program = {
      name,
      settings: z.object({ ...hostSettings, ...settings.shape }),
      create: (values: Readonly<Record<string, unknown>>, deps: FunctionDeps) =>
        extensionFunction({ ...backend, ...create(values, deps) }),
    }
    const fail = (error: unknown): never => process.exit(startFailure(name, error))
    return frameworkHandler(await wireFunction(program, process.env).catch(fail))
  })()
  framework.cloudEvent(name, async (event: unknown) => (await wired)(event))
}
