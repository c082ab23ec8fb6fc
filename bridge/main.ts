import { bootBridge } from './process/boot-bridge.ts'

bootBridge()
