import { EC2Client } from '@aws-sdk/client-ec2'
import { EFSClient } from '@aws-sdk/client-efs'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { accountContents, operator } from './account-contents.ts'
import type { ObjectParts } from './objects.ts'
import { stepsOver } from './steps.ts'

/** An empty AWS account, an operator's clients for it, and shoots in it. */
export const startAccount = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock })
  const settings = operator(aws.requestHandler)
  return {
    aws,
    clock,
    ec2: new EC2Client(settings),
    efs: new EFSClient(settings),
    shoot: (parts: ObjectParts = {}) => stepsOver(aws.requestHandler, clock, parts),
    /** Returns the calls that change resources since the last call. */
    writes: () => {
      const all = aws.calls.all().filter(({ action }) => !/^(?:Describe|Get|List)/.test(action))
      aws.calls.clear()
      return all.map(({ action }) => action)
    },
    contents: () => accountContents(aws.requestHandler),
  }
}
