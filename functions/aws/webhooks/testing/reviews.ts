import { sendReview } from '../../../../sandbox/reviews/reviews.ts'
import { valueAt as ownAt } from '../../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { recordedGarden } from '../../../../shared/webhooks/admission/testing/recording.ts'
import { standardReviews } from '../../../../test/recorded/admission.ts'
import { definition as mutator } from '../mutator/webhook.ts'
import { definition as secretsValidator } from '../secrets-validator/webhook.ts'
import { definition as validator } from '../validator/webhook.ts'

/** The changes of an object: values by the path of their fields, `spec.region`, `metadata.labels`. */
export type Otherwise = Readonly<Record<string, unknown>>

/**
 * Returns a copy of the object with some fields changed; undefined removes a field. List items are addressed by index:
 * `workers.0.zones`.
 */
export const withOther = (object: KubernetesObject, other: Otherwise = {}): KubernetesObject => {
  const copy = structuredClone(object)
  for (const [path, value] of Object.entries(other)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let inner: object = copy
    for (const name of names) {
      if (typeof Reflect.get(inner, name) !== 'object') Reflect.set(inner, name, {})
      inner = Reflect.get(inner, name) as object
    }
    if (value === undefined) Reflect.deleteProperty(inner, last)
    else Reflect.set(inner, last, structuredClone(value))
  }
  return copy
}

const recorded = (file: string, name: string): KubernetesObject => {
  const found = standardReviews().find(one => one.file === file && one.review.name === name)
  if (found === undefined) throw new Error(`no review ${file}: ${name}`)
  return found.review.object
}

/** A valid Shoot with one pool in one zone of the CloudProfile `aws`. */
export const shootWith = (other?: Otherwise): KubernetesObject => withOther(recorded('shoot', 'good'), other)
export const cloudProfileWith = (other?: Otherwise): KubernetesObject =>
  withOther(recorded('cloudprofile', 'good'), other)
/** A CloudProfile with machine capabilities. Its second flavor has no AMI. */
export const capabilityProfileWith = (other?: Otherwise): KubernetesObject =>
  withOther(recorded('cloudprofile', 'capabilities, flavor missing'), other)
export const namespacedProfileWith = (other?: Otherwise): KubernetesObject =>
  withOther(recorded('namespacedcloudprofile', 'new version'), other)
/** A NamespacedCloudProfile with AMIs to merge into its status. */
export const observedProfileWith = (other?: Otherwise): KubernetesObject =>
  withOther(recorded('mutate.namespacedcloudprofile', 'status merge'), other)
export const secretWith = (other?: Otherwise): KubernetesObject =>
  withOther(recorded('secret', 'good'), other)

/** The garden of the recordings, with changes of the CloudProfile `aws`. */
export const gardenWith = (profile: Otherwise = {}): readonly KubernetesObject[] =>
  recordedGarden().map(object =>
    object.kind === 'CloudProfile' && object.metadata.name === 'aws' ? withOther(object, profile) : object,
  )

export interface Answered {
  readonly allowed: boolean
  readonly message: string
  readonly object: KubernetesObject
  readonly warnings: readonly string[]
}

interface Given {
  readonly old?: KubernetesObject
  readonly garden?: readonly KubernetesObject[]
}

const play =
  (definition: typeof validator) =>
  async (object: KubernetesObject, { old, garden = recordedGarden() }: Given = {}): Promise<Answered> => {
    const input =
      old === undefined
        ? ({ operation: 'CREATE', object } as const)
        : ({ operation: 'UPDATE', object, oldObject: old } as const)
    const { message = '', ...answered } = await sendReview(definition, input, { objects: garden })
    return { ...answered, message }
  }

export const mutate = play(mutator)
export const validate = play(validator)
export const validateSecretObject = play(secretsValidator)

/** Mutates a Shoot, then validates it, as the API server does. */
export const admit = async (object: KubernetesObject, given?: Given): Promise<Answered> => {
  const mutated = await mutate(object, given)
  return mutated.allowed ? validate(mutated.object, given) : mutated
}

export const valueAt = (object: unknown, path: string): unknown => ownAt(object, ...path.split('.'))
