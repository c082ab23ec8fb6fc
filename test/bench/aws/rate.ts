import { EC2Client, type EC2ClientConfig } from '@aws-sdk/client-ec2'
import { percentile } from '../figure.ts'

const settings = { region: 'eu-west-1', credentials: { accessKeyId: 'AKIABENCH', secretAccessKey: 'bench' } }

export const ec2Of = (where: Pick<EC2ClientConfig, 'endpoint' | 'requestHandler'>): EC2Client =>
  new EC2Client({ ...settings, ...where } as EC2ClientConfig)

/**
 * Returns the milliseconds per call of each function. Runs them in turns, one call after the other, and takes the
 * fastest quarter of the rounds, so that other load on the machine is not measured.
 */
export const msPerCall = async (
  things: readonly (() => Promise<unknown>)[],
  { rounds = 24, calls = 150 } = {},
): Promise<readonly number[]> => {
  const measured = things.map(() => [] as number[])
  const warmUp = 20
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, call] of things.entries()) {
      const began = performance.now()
      for (let count = 0; count < calls; count++) await call()
      if (round >= 0) measured[index]?.push((performance.now() - began) / calls)
    }
  }
  return measured.map(values => percentile(values, 0.25))
}
