import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import {
  type Answered,
  type Given,
  type Otherwise,
  play,
  withOther,
} from '../../../../shared/webhooks/admission/testing/play-reviews.ts'
import { recordedGarden } from '../../../../shared/webhooks/admission/testing/recording.ts'
import { standardReviews } from '../../../../test/recorded/admission.ts'
import { definition as mutator } from '../mutator/webhook.ts'
import { definition as secretsValidator } from '../secrets-validator/webhook.ts'
import { definition as validator } from '../validator/webhook.ts'

export {
  type Otherwise,
  valueAt,
  withOther,
} from '../../../../shared/webhooks/admission/testing/play-reviews.ts'

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

const objects = recordedGarden()

export const mutate = play(mutator, objects)
export const validate = play(validator, objects)
export const validateSecretObject = play(secretsValidator, objects)

/** Mutates a Shoot, then validates it, as the API server does. */
export const admit = async (object: KubernetesObject, given?: Given): Promise<Answered> => {
  const mutated = await mutate(object, given)
  return mutated.allowed ? validate(mutated.object, given) : mutated
}
