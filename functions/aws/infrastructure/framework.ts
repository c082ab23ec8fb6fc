import { bootFrameworkFunction } from '../../../shared/runtime/boot-framework.ts'
import { create, name, settings } from './function.ts'

// functions-framework --source=functions/aws/infrastructure/framework.ts --target=aws-infrastructure --signature-type=cloudevent
await bootFrameworkFunction({ name, settings, create })
