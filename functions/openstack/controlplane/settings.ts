export { imageSettings as controlPlaneSettings } from './images/image-table.ts'
