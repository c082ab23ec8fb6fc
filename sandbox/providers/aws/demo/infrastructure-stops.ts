import { annotations } from '../../../../shared/contract/constants.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { parseStepAnnotation } from '../../../../shared/contract/step-annotation.ts'
import { apply, isReady, remove, until } from '../../objects.ts'
import { expect, type Stage, type Stop } from '../../stop.ts'
import { type AccountContents, accountContents, added } from '../account-contents.ts'
import type { Aws } from '../simulator/aws.ts'
import { isRead } from '../simulator/aws.ts'

const infrastructures = kinds.Infrastructure.resource
const key = { name: 'one-zone', namespace: 'shoot--garden--one-zone' }
const functionName = 'aws-infrastructure'

/** Kills the function after this many EC2 calls that create something. */
const killedAfter = 8

/** The resources of one zone. A resource that exists twice changes this text. */
const whole =
  '1 VPC, 3 subnets, 1 internet gateway, 1 NAT gateway, 1 elastic address, 3 route tables, 2 security groups, 1 key pair, 1 role, 1 instance profile'

/** The life of a shoot's network, with a function that dies in the middle. */
export const infrastructureStops = (aws: Aws): readonly Stop[] => {
  let before: AccountContents = []
  return [
    {
      title: 'A shoot needs a network; midway, the process of the function is killed',
      typed: 'kubectl apply -f examples/infrastructure/one-zone.yaml; kill -9 …',
      run: async (stage, signal) => {
        before = await accountContents(aws.requestHandler)
        const killed = killAmidst(aws, stage, signal)
        await apply(stage, 'infrastructure/one-zone.yaml')
        await killed
        const now = await stage.kubernetes.get(infrastructures, key)
        const step = parseStepAnnotation(now?.metadata.annotations?.[annotations.step])
        expect(step?.phase === 'claimed', 'the object does not show the claim of the killed step')
        const half = added(before, await accountContents(aws.requestHandler))
        expect(half !== '' && half !== whole, `the function was not killed midway: ${half}`)
        return `  AWS has ${half}. The killed step holds its claim until ${step?.until}.`
      },
    },
    {
      title: 'No manual repair: when the claim has expired, another step continues',
      typed: '(wait)',
      run: async (stage, signal) => {
        await until(stage, infrastructures, key, isReady, signal)
        const made = added(before, await accountContents(aws.requestHandler))
        expect(made === whole, `AWS has ${made}, but expected ${whole}`)
        return `  Nothing was created twice: ${made}.`
      },
    },
    {
      title: 'The network is deleted, and the account is as before',
      typed: `kubectl -n ${key.namespace} annotate infra one-zone confirmation.gardener.cloud/deletion=true; kubectl -n ${key.namespace} delete infra one-zone`,
      run: async (stage, signal) => {
        await remove(stage, infrastructures, [key], signal)
        const left = await accountContents(aws.requestHandler)
        expect(idsOf(left) === idsOf(before), `left in AWS: ${added(before, left) || 'less than before'}`)
        return '  AWS contains the same resources as before.'
      },
    },
  ]
}

/** Returns all ids of an account as one comparable text. */
const idsOf = (contents: AccountContents): string =>
  contents
    .map(({ what, id }) => `${what} ${id}`)
    .sort()
    .join('\n')

/** Resolves after the function was killed between two of its calls. */
const killAmidst = (aws: Aws, stage: Stage, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    let writes = 0
    const end = aws.calls.onCall(call => {
      if (call.service !== 'ec2' || isRead(call) || ++writes < killedAfter) return
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
