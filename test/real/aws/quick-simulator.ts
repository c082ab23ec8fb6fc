import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'

/**
 * A simulated AWS that takes a thousandth of AWS's time, so that the waiters of clients that look every 15 s or
 * 30 s find what they wait for at their first read.
 */
export const listenQuickly = async () => {
  const quick = { durations: { scale: 0.001 } }
  // What is gone stays listed for an hour: a client may take seconds to look.
  const listed = { instanceListed: 3_600_000, natGatewayListed: 3_600_000 }
  const aws = createAws({
    route53: { insyncAfter: 0 },
    ec2: { durations: { ...quick.durations, ...listed } },
    iam: quick,
    s3: quick,
    elb: quick,
    efs: quick,
  })
  return { aws, ...(await aws.listen()) }
}

export type QuickSimulator = Awaited<ReturnType<typeof listenQuickly>>
