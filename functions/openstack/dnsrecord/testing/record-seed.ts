import { createSteppedSeed, shootObjects } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import type { DNSRecord } from '../../../../shared/contract/objects.ts'
import { secretData } from '../../provider/testing/served-cloud.ts'
import { definition } from '../function.ts'
import type { designateCloud } from './designate-cloud.ts'

const namespace = 'shoot--foo--bar'

/** A record `A api.example.com 1.2.3.4`, with the changes of a test. */
export const recordOf = (spec: Partial<DNSRecord['spec']> = {}): DNSRecord => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: { name: 'api', namespace },
  spec: {
    type: 'openstack-designate',
    name: 'api.example.com',
    recordType: 'A',
    values: ['1.2.3.4'],
    secretRef: { name: 'dns', namespace },
    ...spec,
  },
})

export const recordObjects = shootObjects({ namespace, secrets: { dns: secretData } })

/** A seed with the function over a cloud. */
export const recordSeed = ({ cloud, calls }: ReturnType<typeof designateCloud>) => {
  const seed = createSteppedSeed({ definition, cloud, objects: recordObjects, waits: 'advance' })
  const apply = async (spec: Partial<DNSRecord['spec']> = {}) => {
    calls.length = 0
    return Object((await seed.apply(recordOf(spec))).status)
  }
  return {
    ...seed,
    one: seed.object({ name: 'api', namespace }),
    /** Reconciles, and returns the status. Clears the calls before. */
    apply,
    /** Deletes. Returns the status if the deletion failed. Clears the calls before. */
    remove: async () => {
      calls.length = 0
      const left = await seed.remove(recordOf())
      return left && Object(left.status)
    },
    restart: seed.restart,
  }
}
