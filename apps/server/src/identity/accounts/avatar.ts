import { sha256Bytes } from '../../foundation/hash.ts';

/** A picture generated from the id alone: it distinguishes accounts and does not reveal whether one exists. */
export function drawAvatar(id: string): string {
  const bytes = sha256Bytes(`avatar ${id}`);
  const hue = Math.round((bytes.readUInt16BE(0) / 65_536) * 360);
  const cells: string[] = [];
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      if (bytes.readUInt8(2 + row * 3 + column) < 128) continue;
      cells.push(cell(column, row));
      if (column < 2) cells.push(cell(4 - column, row));
    }
  }
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" width="112" height="112" role="img">',
    `<rect width="7" height="7" fill="hsl(${hue} 45% 92%)"/>`,
    `<path fill="hsl(${hue} 45% 42%)" d="${cells.join('')}"/>`,
    '</svg>',
  ].join('');
}

function cell(column: number, row: number): string {
  return `M${column + 1} ${row + 1}h1v1h-1z`;
}
