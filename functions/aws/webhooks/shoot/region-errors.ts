import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import { at } from '../garden/json.ts'

/** Returns an error if the CloudProfile does not have the region. Its zones could not be validated. */
export const regionErrors = (region: string, cloudProfile: unknown): readonly string[] => {
  const regions = at(cloudProfile, 'regions')
  const names = Array.isArray(regions) ? regions.map(one => at(one, 'name')) : []
  if (names.includes(region)) return []
  const known = names.filter(name => typeof name === 'string').toSorted()
  const message = `expected a region of the cloud profile (${known.join(', ') || 'it has none'})`
  return fieldErrors([{ path: 'spec.region', message, kind: 'unsupported' }], {
    within: { spec: { region } },
  })
}
