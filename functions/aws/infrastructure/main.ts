import { bootFunction } from '../../../shared/runtime/boot-function.ts'
import { create, name, settings } from './function.ts'

bootFunction({ name, settings, create })
