import { expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { codesOf } from '../../../shared/contract/classify.ts'
import { infrastructureActuator } from './actuator.ts'
import { infrastructureOf, namespace, type ObjectParts, zones } from './testing/objects.ts'

const { check: checkObject = () => Promise.reject(new Error('nothing is checked')) } = infrastructureActuator(
  {
    clock: virtualClock(0),
    connection: { requestHandler: { handle: () => Promise.reject(new Error('AWS was asked')) } },
  },
)
const secretOf = (data: Readonly<Record<string, string>>) => ({ name: 's', namespace, labels: {}, data })
const good = { accessKeyID: 'AKIAEXAMPLE', secretAccessKey: 'planted' }
const check = async (parts: ObjectParts, data: Readonly<Record<string, string>> = good) =>
  checkObject({ object: infrastructureOf(parts), secret: secretOf(data) })

test('an object with its Secret is valid', async () => {
  await check({})
})

test.each<[string, ObjectParts, Readonly<Record<string, string>>, string]>([
  [
    'a region that is none',
    { spec: { region: 'evil.example.com/' } },
    good,
    'spec.region: expected the name of a region (such as eu-west-1), found "evil.example.com/"',
  ],
  [
    'a config of another form',
    { networks: { zone: [] } },
    good,
    'spec.providerConfig.networks.zone: unknown field of an InfrastructureConfig (did you mean zones?)',
  ],
  [
    'a config that cannot be made, each problem',
    { vpc: {}, zones: [{ ...zones(1)[0], internal: undefined }] },
    good,
    'spec.providerConfig.networks.zones[0].internal: expected the CIDR of a subnet, found nothing; spec.providerConfig.networks.vpc: expected the id of your VPC, or the cidr of a new VPC, found neither',
  ],
  [
    'credentials that are not there',
    {},
    { accessKeyID: 'AKIAEXAMPLE' },
    'cannot read the AWS credentials in Secret shoot--foo--bar/s: it has no secretAccessKey',
  ],
])('%s is refused as a problem of the configuration', async (_, parts, data, message) => {
  const error = await failureOf(check(parts, data))
  expect(error.message).toBe(message)
  expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
})

test('a missing config is refused', async () => {
  const object = infrastructureOf()
  const { providerConfig: _, ...spec } = object.spec
  const error = await failureOf(
    (async () => checkObject({ object: { ...object, spec }, secret: undefined }))(),
  )
  expect(error.message).toBe('spec.providerConfig: expected an object, found nothing')
})
