import { isRecord, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { CleanValue } from './clean-value.ts'
import { type Hide, hiddenBytes } from './hidden-text.ts'

/** The identity of an object, which no value of a Secret replaces: a Secret may contain a bucket's name. */
const identity = ['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'] as const

/** Creates the redaction of a recorded object: what its kind is known to embed, and what `clean` finds. */
export const createCleanObject =
  (clean: CleanValue, hide: Hide) =>
  (object: KubernetesObject): KubernetesObject => {
    const known = withoutEmbedded(object, hide)
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

/**
 * Hides the fields that contain files and scripts of machines: these can contain anything, and no step decides by their
 * content.
 */
const withoutEmbedded = (object: KubernetesObject, hide: Hide): KubernetesObject => {
  switch (object.kind) {
    case 'OperatingSystemConfig':
      return change(object, {
        spec: spec => withFilesHidden(spec, hide, 'files', 'units'),
        status: status => withFilesHidden(status, hide, 'extensionFiles', 'extensionUnits'),
      })
    case 'Bastion':
      return change(object, { spec: spec => change(spec, { userData: bytesHidden(hide) }) })
    case 'Worker':
      return change(object, {
        spec: spec => change(spec, { pools: each(pool => change(pool, { userData: bytesHidden(hide) })) }),
      })
    default:
      return object
  }
}

const withFilesHidden = (part: unknown, hide: Hide, files: string, units: string): unknown =>
  change(part, {
    [files]: each(file =>
      change(file, {
        content: content =>
          change(content, {
            inline: inline =>
              isRecord(inline) && inline.encoding === 'b64'
                ? change(inline, { data: bytesHidden(hide) })
                : change(inline, { data: textHidden(hide) }),
          }),
      }),
    ),
    [units]: each(unit =>
      change(unit, {
        content: textHidden(hide),
        dropIns: each(dropIn => change(dropIn, { content: textHidden(hide) })),
      }),
    ),
  })

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

const textHidden =
  (hide: Hide): FieldChange =>
  value =>
    stringOf(value) === '' ? value : hide(stringOf(value))

const bytesHidden =
  (hide: Hide): FieldChange =>
  value =>
    stringOf(value) === '' ? value : hiddenBytes(hide, stringOf(value))
