import { bootFrameworkFunction } from '../../../shared/runtime/boot-framework.ts'
import { create, name, settings } from './function.ts'

// functions-framework --source=functions/aws/dnsrecord/framework.ts --target=aws-dnsrecord --signature-type=cloudevent
await bootFrameworkFunction({ name, settings, create })
