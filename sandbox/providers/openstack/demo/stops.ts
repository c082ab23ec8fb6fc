import { annotations } from '../../../../shared/contract/constants.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { parseStepAnnotation } from '../../../../shared/contract/step-annotation.ts'
import { pluralTitle } from '../../../../shared/text/plural-title.ts'
import { apply, isReady, remove, until } from '../../objects.ts'
import { expect, type Stage, type TourPart } from '../../stop.ts'
import type { ProvidedOpenStack } from '../simulate.ts'

const infrastructures = kinds.Infrastructure.resource
const key = { name: 'nova', namespace: 'shoot--garden--nova' }
const record = { name: 'nova-external', namespace: key.namespace }
const functionName = 'openstack-infrastructure'

/** Kills the function after this many calls that change something. */
const killedAfter = 4

const counted = ['network', 'subnet', 'router', 'securityGroup', 'keypair', 'recordSet'] as const
const whole = '1 network, 1 subnet, 1 router, 1 security group, 1 keypair, 1 record set'

type Contents = Readonly<Record<(typeof counted)[number], number>>

/** Every project has a security group `default`, from its first request on. */
const contentsOf = (openstack: ProvidedOpenStack): Contents =>
  Object.fromEntries(
    counted.map(kind => [kind, openstack.resources(kind).filter(({ name }) => name !== 'default').length]),
  ) as Contents

/** Returns the resources beyond those of `before`, as text. */
const addedTo = (before: Contents, now: Contents): string =>
  counted
    .flatMap(kind => {
      const more = now[kind] - before[kind]
      const noun = kind.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
      return more === 0 ? [] : [`${more} ${more === 1 ? noun : pluralTitle(noun)}`]
    })
    .join(', ')

/** The OpenStack part of the guided tour: the network of a shoot, with a function that dies in the middle. */
export const openstackStops = (openstack: ProvidedOpenStack): TourPart => {
  let before = contentsOf(openstack)
  return {
    inSandbox: [
      {
        title: 'A shoot needs a network in OpenStack; midway, the process of the function is killed',
        typed: 'kubectl apply -f examples/openstack/infrastructure.yaml; kill -9 …',
        run: async (stage, signal) => {
          before = contentsOf(openstack)
          const killed = killAmidst(openstack, stage, signal)
          await apply(stage, 'openstack/infrastructure.yaml')
          await killed
          const now = await stage.kubernetes.get(infrastructures, key)
          const step = parseStepAnnotation(now?.metadata.annotations?.[annotations.step])
          expect(step?.phase === 'claimed', 'the object does not show the claim of the killed step')
          return `  OpenStack has ${addedTo(before, contentsOf(openstack))}. The killed step holds its claim until ${step?.until}.`
        },
      },
      {
        title: 'No manual repair: when the claim has expired, another step continues',
        typed: '(wait)',
        run: async (stage, signal) => {
          await until(stage, infrastructures, key, isReady, signal)
          await until(stage, kinds.DNSRecord.resource, record, isReady, signal)
          const made = addedTo(before, contentsOf(openstack))
          expect(made === whole, `OpenStack has ${made}, but expected ${whole}`)
          return `  Nothing was created twice: ${made}.`
        },
      },
      {
        title: 'Network and record are deleted, and the project is as before',
        typed: `kubectl -n ${key.namespace} delete infra,dns --all`,
        run: async (stage, signal) => {
          await remove(stage, kinds.DNSRecord.resource, [record], signal)
          await remove(stage, infrastructures, [key], signal)
          const left = addedTo(before, contentsOf(openstack))
          expect(left === '', `left in OpenStack: ${left}`)
          return '  OpenStack contains the same resources as before.'
        },
      },
    ],
  }
}

/** Resolves after the function was killed between two of its calls. */
const killAmidst = (openstack: ProvidedOpenStack, stage: Stage, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    let writes = 0
    const end = openstack.onCall(call => {
      if (call.isRead || !['network', 'compute'].includes(call.service) || ++writes < killedAfter) return
      end()
      const text = `kill -9 ${stage.kill(functionName)}: the process of ${functionName} is dead`
      stage.print({ part: 'function', text, tone: 'bad' })
      resolve()
    })
    signal.addEventListener(
      'abort',
      () => {
        end()
        reject(signal.reason)
      },
      { once: true },
    )
  })
