import type { ReviewOutcome } from '../../../../shared/webhooks/admission/admission.ts'

/** Warns that values of the user were overwritten. */
export const flavorWarnings = (overwritten: readonly string[]): Pick<ReviewOutcome, 'warnings'> =>
  overwritten.length === 0
    ? {}
    : {
        warnings: [
          `spec.machineImages: capabilityFlavors of ${overwritten.join(', ')} were replaced by those of spec.providerConfig, which describe its AMIs`,
        ],
      }
