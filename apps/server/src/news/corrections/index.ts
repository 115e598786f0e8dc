export { correctedPath, readCorrectionPage, readCorrectionPosition } from './correction-page.ts';
