import { expect, test } from 'vitest'
import { findFunctions } from '../../functions/find-functions.ts'
import { hasCloud, providerOf } from './simulated-cloud.ts'

test('the functions of AWS, OpenStack and provider-local have a cloud, and the others have none', async () => {
  const functions = await findFunctions()
  const withCloud = functions.filter(hasCloud).map(providerOf)
  expect([...new Set(withCloud)].toSorted()).toEqual(['aws', 'local', 'openstack'])
  expect(functions.filter(fn => ['aws', 'local', 'openstack'].includes(providerOf(fn))).every(hasCloud)).toBe(
    true,
  )
})

test("a function of an author's project has none, even if its provider is called local", () => {
  expect(hasCloud({ file: '/project/functions/local/dnsrecord/function.ts' })).toBe(false)
})
