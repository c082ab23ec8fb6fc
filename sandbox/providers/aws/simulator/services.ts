import type { Ec2Settings } from './ec2/core/context.ts'
import { createEc2 } from './ec2/service.ts'
import { createEfs } from './efs/service.ts'
import type { EfsSettings } from './efs/settings.ts'
import { createElb } from './elb/service.ts'
import type { LoadBalancerSettings } from './elb/settings.ts'
import { createElbv2 } from './elbv2/service.ts'
import { createIam } from './iam/service.ts'
import type { IamSettings } from './iam/settings.ts'
import { profileFinder } from './iam/usable-profile.ts'
import { createRoute53, type Route53Settings } from './route53/service.ts'
import type { S3Settings } from './s3/buckets/settings.ts'
import { createS3 } from './s3/service.ts'
import type { Service } from './service.ts'
import { createSts, type StsSettings } from './sts/service.ts'

/** The settings of each service. */
export interface ServiceSettings {
  readonly route53?: Route53Settings
  readonly sts?: StsSettings
  readonly ec2?: Ec2Settings
  readonly iam?: IamSettings
  readonly s3?: S3Settings
  /** For classic and other load balancers. */
  readonly elb?: LoadBalancerSettings
  readonly efs?: EfsSettings
  /**
   * Time until read calls see a change, in ms, in the eventually consistent services: EC2 and IAM. Default: 0. The
   * settings of a service override it.
   */
  readonly visibleAfter?: number
}

const withVisibility = ({ visibleAfter, ...settings }: ServiceSettings): ServiceSettings => {
  if (visibleAfter === undefined) return settings
  const durations = { roleReadable: visibleAfter, profileReadable: visibleAfter, ...settings.iam?.durations }
  return {
    ...settings,
    ec2: { visibleAfter, ...settings.ec2 },
    iam: { ...settings.iam, durations },
  }
}

/** Creates every service of the simulator. */
export const createServices = (given: ServiceSettings = {}): readonly Service<object>[] => {
  const settings = withVisibility(given)
  return [
    createRoute53(settings.route53) as Service<object>,
    createSts(settings.sts) as Service<object>,
    createEc2({ instanceProfile: profileFinder(settings.iam), ...settings.ec2 }) as Service<object>,
    createIam(settings.iam) as Service<object>,
    createS3(settings.s3) as Service<object>,
    createElb(settings.elb) as Service<object>,
    createElbv2(settings.elb) as Service<object>,
    createEfs(settings.efs) as Service<object>,
  ]
}

/** Time until a Route 53 change is in sync, in ms; "most changes" within 60 s (Developer Guide). */
const route53Insync = 60_000

/** Returns settings that scale AWS's durations in all services: 1 is real time, 0 makes everything instant. */
export const scaledServices = (scale: number): ServiceSettings => {
  const durations = { scale }
  return {
    route53: { insyncAfter: route53Insync * scale },
    ec2: { durations },
    iam: { durations },
    s3: { durations },
    elb: { durations },
    efs: { durations },
  }
}
