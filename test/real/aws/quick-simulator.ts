import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'

/**
 * Starts a simulated AWS with a thousandth of AWS's delays. Waiters of clients that poll every 15 s or 30 s then
 * succeed at their first read.
 */
export const listenQuickly = async () => {
  const quick = { durations: { scale: 0.001 } }
  // Deleted resources remain listed for an hour, because a client may read seconds later.
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
