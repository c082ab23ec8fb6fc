import { DescribeKeyPairsCommand, EC2Client } from '@aws-sdk/client-ec2'
import { operator } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import {
  type RecordedCall,
  recordedCalls,
  recordedResources,
} from '../../sandbox/providers/aws/simulator/ec2/testing/recording.ts'
import { describeAll, idMap, translate } from '../../sandbox/providers/aws/simulator/ec2/testing/translate.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import { withoutMemory } from '../../terraform-free-infra/engine/engine.ts'
import { recordedObjectOf } from '../recorded/recorded.ts'

/** Returns the object after Gardener's Go extension has finished. */
export const recordedObject = (file: string): Infrastructure =>
  recordedObjectOf(`infrastructure/${file}`) as Infrastructure

const versions = { ec2: '2016-11-15', iam: '2010-05-08' } as const

/**
 * Returns an account in which the Go extension has just created a shoot, by a replay of its calls to the simulator.
 */
export const madeByGo = async (file: string) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const ec2 = new EC2Client(operator(aws.requestHandler))
  const recorded = recordedResources(`infrastructure/${file}`)
  const server = await aws.listen()
  const play = async ({ action, params }: RecordedCall): Promise<void> => {
    const [name = '', service = 'ec2'] = action.split(':').reverse()
    const kind = service === 'iam' ? 'iam' : 'ec2'
    const ids = idMap(recorded, await describeAll(ec2))
    const body = new URLSearchParams({ Action: name, Version: versions[kind] })
    for (const [key, value] of Object.entries(params)) body.set(key, translate(value, ids))
    const scope = kind === 'iam' ? 'us-east-1/iam' : 'eu-west-1/ec2'
    await fetch(server.url, {
      method: 'POST',
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=AKIA/20260101/${scope}/aws4_request, SignedHeaders=host, Signature=00`,
      },
      body,
    })
  }
  try {
    const start = clock.now()
    for (const call of recordedCalls(`infrastructure/${file}`).create ?? []) {
      await clock.advance(Math.max(0, start + call.at - clock.now()))
      await play(call)
    }
    await clock.advance(60_000)
  } finally {
    await server.close()
  }
  const ids = idMap(recorded, await describeAll(ec2))
  const { KeyPairs = [] } = await ec2.send(new DescribeKeyPairsCommand({}))
  const object = recordedObject(file)
  const [fingerprint = ''] = Object.entries(dataOf(object.status)).flatMap(([key, value]) =>
    key === 'KeyPairFingerprint' ? [value] : [],
  )
  // The emulator of the recording has its own addresses and computes fingerprints differently.
  const text = translate(JSON.stringify(object), ids).replaceAll(
    fingerprint,
    KeyPairs[0]?.KeyFingerprint ?? '',
  )
  return { clock, aws, object: JSON.parse(text) as Infrastructure }
}

/** Returns the state data of an object. */
export const dataOf = (status: Infrastructure['status']): Readonly<Record<string, string>> =>
  (status?.state as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data ?? {}

/**
 * Returns a status without the state keys that the Go extension ignores: the uid of the marks, the account, and what
 * AWS may not show yet.
 */
export const withoutOwnKeys = <S extends { readonly state?: unknown }>(status: S): S => {
  const { data = {}, ...state } = (status.state ?? {}) as { readonly data?: Readonly<Record<string, string>> }
  const { CreatedFor, AccountID, ...ofGo } = data
  return { ...status, state: { ...state, data: withoutMemory(ofGo) } }
}
