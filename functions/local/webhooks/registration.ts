import type { LabelSelector } from '../../../shared/webhooks/admission/admission.ts'

/** The component of admission in the garden. */
export const admissionComponent = 'admission-local'

/** Selects the objects of this provider, by the label that Gardener sets. */
export const ofProvider: LabelSelector = {
  matchLabels: { 'provider.extensions.gardener.cloud/local': 'true' },
}
