import { isRecord } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { CleanValue } from './clean-value.ts'
import { type Hide, hiddenBytes } from './hidden-text.ts'

/** The identity of an object, which no value of a Secret replaces: a Secret may contain a bucket's name. */
const identity = ['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'] as const

/** Creates the redaction of a recorded object: what its kind is known to embed, and what `clean` finds. */
export const createCleanObject =
  (clean: CleanValue, hide: Hide) =>
  (object: KubernetesObject): KubernetesObject => {
    const known = object.kind === 'OperatingSystemConfig' ? withFilesHidden(object, hide) : object
    const { apiVersion, kind, metadata } = object
    const cleaned = clean(known)
    const kept = Object.fromEntries(
      identity.flatMap(name => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
    )
    return {
      ...cleaned,
      apiVersion,
      kind,
      metadata: { ...cleaned.metadata, ...kept } as KubernetesObject['metadata'],
    }
  }

/** Hides the contents of files and units. They can contain anything, and no step decides by them. */
const withFilesHidden = (config: KubernetesObject, hide: Hide): KubernetesObject => {
  const hidden: FieldChange = value => (typeof value === 'string' ? hide(value) : value)
  const inline: FieldChange = value =>
    change(value, {
      data: data =>
        isRecord(value) && value.encoding === 'b64' && typeof data === 'string'
          ? hiddenBytes(hide, data)
          : hidden(data),
    })
  const files = each(file => change(file, { content: content => change(content, { inline }) }))
  const units = each(unit =>
    change(unit, { content: hidden, dropIns: each(dropIn => change(dropIn, { content: hidden })) }),
  )
  return change(config, {
    spec: spec => change(spec, { files, units }),
    status: status => change(status, { extensionFiles: files, extensionUnits: units }),
  })
}

type FieldChange = (value: unknown) => unknown

/** Returns the fields with some of them changed. Other values are returned as they are. */
const change = <T>(value: T, changes: Readonly<Record<string, FieldChange>>): T => {
  if (!isRecord(value)) return value
  const changed = Object.entries(changes).flatMap(([name, of]) =>
    value[name] === undefined ? [] : [[name, of(value[name])]],
  )
  return { ...value, ...Object.fromEntries(changed) }
}

const each =
  (of: FieldChange): FieldChange =>
  value =>
    Array.isArray(value) ? value.map(of) : value
