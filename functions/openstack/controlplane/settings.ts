export { imageSettings as controlPlaneSettings } from './images/images.ts'
