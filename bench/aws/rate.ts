import { EC2Client, type EC2ClientConfig } from '@aws-sdk/client-ec2'
import { percentile } from '../figure.ts'

const settings = { region: 'eu-west-1', credentials: { accessKeyId: 'AKIABENCH', secretAccessKey: 'bench' } }

export const ec2Of = (where: Pick<EC2ClientConfig, 'endpoint' | 'requestHandler'>): EC2Client =>
  new EC2Client({ ...settings, ...where } as EC2ClientConfig)

/** How long each of some things takes, in ms, when they are done in turns, one call after the other. */
export const msPerCall = async (
  things: readonly (() => Promise<unknown>)[],
  { rounds = 7, calls = 400 } = {},
): Promise<readonly number[]> => {
  const measured = things.map(() => [] as number[])
  // One round more: the first warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, call] of things.entries()) {
      const began = performance.now()
      for (let count = 0; count < calls; count++) await call()
      if (round > 0) measured[index]?.push((performance.now() - began) / calls)
    }
  }
  return measured.map(values => percentile(values, 0.5))
}
