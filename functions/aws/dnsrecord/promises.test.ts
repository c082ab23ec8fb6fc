import { test } from 'vitest'
import { addHostedZone, hostedZones } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import {
  functionPromises,
  type PassCall,
  shootObjects,
  type TestCloud,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import type { VirtualClock } from '../../../shared/clock/clock.ts'
import { definition } from './function.ts'
import { accessKey, recordOf } from './testing/steps.ts'

/** The simulated Route 53 as a cloud under test: its record sets, and its calls. A record set has no owner. */
const route53 = ({ clock }: { readonly clock: VirtualClock }): TestCloud => {
  const { account, requestHandler } = shuffledAws({ clock })
  addHostedZone(account(), { name: 'example.com', id: 'Z0EXAMPLE' })
  let pass: PassCall = (_, work) => work()
  return {
    things: () =>
      hostedZones(account()).flatMap(({ recordSets }) =>
        recordSets.map(({ Name, Type, ...content }) => ({ name: `${Type} ${Name}`, content })),
      ),
    passCalls: given => {
      pass = given
    },
    connection: {
      requestHandler: {
        ...requestHandler,
        handle: (...[request, ...rest]: Parameters<typeof requestHandler.handle>) => {
          const name = `${request.method} ${request.path}`
          return pass({ name, isRead: request.method === 'GET' }, () =>
            requestHandler.handle(request, ...rest),
          )
        },
      },
    },
  }
}

const object = recordOf({})
const { namespace = '' } = object.metadata
const example = { object, beside: shootObjects({ namespace, secrets: { dns: accessKey } }) }

for (const { promise, hold } of functionPromises({
  definition,
  example,
  cloud: route53,
  made: ['A api.example.com.'],
  marksOwner: false,
  waits: 'advance',
}))
  test(`aws-dnsrecord on the simulated Route 53: ${promise}`, hold)
