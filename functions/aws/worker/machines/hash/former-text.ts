import type { MachineClassContent } from '../../../../../shared/worker/worker.ts'
import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import { configText } from './config-text.ts'
import type { Field, Path } from './field.ts'

/** A part of a WorkerConfig as JSON, to be changed. */
type ConfigPart = Record<string | number, unknown>

/**
 * The text that a class was probably hashed by: that of the WorkerConfig as it is now, with the fields as the class has
 * them. Undefined where there is none now, and the class tells of none. The hash proves whether it is right.
 */
export const formerText = (
  providerConfig: object | undefined,
  fields: readonly Field[],
  content: MachineClassContent,
): string | undefined => {
  const changed = fields.flatMap(({ at, datum, observed }) => {
    const found = observed(content)
    return at === undefined || found === datum ? [] : [{ at, found }]
  })
  if (providerConfig === undefined && changed.length === 0) return undefined
  const former = structuredClone(providerConfig ?? { apiVersion, kind: 'WorkerConfig' }) as ConfigPart
  for (const { at, found } of changed) put(former, at, found)
  return configText(former, former)
}

/** Numbers are written as such: no text of a WorkerConfig looks like one. An object that has nothing else goes too. */
const put = (object: ConfigPart, [name, ...rest]: Path, value: string | undefined): void => {
  if (name === undefined) return
  if (rest.length === 0) {
    if (value === undefined) delete object[name]
    else object[name] = /^\d+$/.test(value) ? Number(value) : value
    return
  }
  object[name] ??= {}
  const inner = object[name] as ConfigPart
  put(inner, rest, value)
  if (!Array.isArray(inner) && Object.keys(inner).length === 0) delete object[name]
}
