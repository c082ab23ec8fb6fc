import { isRecord, parsedJson } from '../../shared/decode/record-of.ts'

/** Attributes of CloudEvents, and this system's extensions, which functions rely on. */
const taken = new Set([
  ...['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype', 'dataschema', 'data'],
  ...['kind', 'apiversion', 'name', 'namespace', 'provider', 'extclass', 'objectuid', 'generation'],
  ...['resourceversion', 'attempt', 'reason', 'partitionkey', 'traceparent', 'tracestate'],
])

/** The CloudEvents SDK cannot write these extensions. */
const unwritable = new Set(['schemaurl', 'constructor'])

/**
 * Reads `K_CE_OVERRIDES` as Knative sets it (`duckv1.CloudEventOverrides`): `{"extensions":{"team":"a"}}`, extensions
 * for every event. Throws an error with a one-line message for operators.
 */
export const parseOverrides = (text: string): Readonly<Record<string, string>> => {
  const value = parsedJson(text)
  if (!isRecord(value) || Object.keys(value).some(key => key !== 'extensions')) throw shapeError()
  const extensions = value.extensions ?? {}
  if (!isRecord(extensions)) throw shapeError()
  return Object.fromEntries(
    Object.entries(extensions).map(([name, extension]) => {
      if (!/^[a-z0-9]{1,20}$/.test(name))
        throw new Error(
          `an extension name has 1 to 20 lower-case letters and digits, found ${JSON.stringify(name)}`,
        )
      if (taken.has(name)) throw new Error(`the events already have an attribute ${name}`)
      if (unwritable.has(name)) throw new Error(`the events cannot have an extension ${name}`)
      if (typeof extension !== 'string') throw new Error(`the extension ${name} must be a string`)
      return [name, extension]
    }),
  )
}

const shapeError = () => new Error('expected JSON such as {"extensions":{"team":"a"}}')
