import { test } from 'vitest'
import { functionPromises } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { definition } from './function.ts'
import { designateCloud } from './testing/designate-cloud.ts'
import { recordObjects, recordOf } from './testing/record-seed.ts'

for (const { promise, hold } of functionPromises({
  definition,
  example: { object: recordOf(), beside: recordObjects },
  cloud: () => designateCloud().cloud,
  made: ['A api.example.com.'],
  marksOwner: false,
  waits: 'advance',
}))
  test(`openstack-dnsrecord: ${promise}`, hold)
