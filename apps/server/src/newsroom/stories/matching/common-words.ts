import { stemOf } from '@daybook/grounding/text';

import type { Term } from './entry-terms.ts';

/**
 * Words of everyday English that headlines use for any subject. A newsroom with few items cannot derive from its own
 * counts that “next” and “finally” are common; names and terms of a trade are omitted on purpose.
 */
const commonTerms: ReadonlySet<Term> = new Set(
  `able above across act action actual actually add added adding ago ahead aim aims allow allows almost alone along
  already always amid among amount another answer anyone anything anyway apart apparently appear appears area around
  arrive arrives ask asked asks asking attempt away back bad badly ball base based basic beat beats became because become
  becomes becoming begin begins behind believe best bet bets better between beyond big bigger biggest bit black blame blow
  blue body bold boost both bottom box break breaks bring brings broke broken brought build building builds built busy
  call called calls came cannot care careful case catch cause center central certain chance change changed changes
  changing charge check choice choose city claim claims class clean clear clearly close closer closing cold collapse
  come comes coming comment common complete completely concern concerns consider continue control cost costs count
  country couple course cover create created creates creating crisis critical cross crucial current cut cuts daily danger
  dangerous dark date day days deadline deal dealing dear debate decade decades decide decision deep demand desk despite
  detail details die different difficult direct disaster discover divide doing dollar done door double doubt dream drive
  driving drop drops due during each early earn earth ease easier easily easy edge effect effort eight either else emerge
  empty end ending ends enough enter entire especially even evening event ever every everybody everyone everything
  everywhere evidence exactly example except expect expected expert experts explain explained explains eye eyes face faces
  facing fact fail failed fails failure fair faith fall falls familiar family famous fan far fast faster favor favorite
  fear fears feature feel feeling feels feet fell few field fight fighting figure fill final finally find finding finds
  fine finish fire first fit five fix flat floor focus follow following follows food force forced forces forget form
  former forward found four free fresh friend friendly friends front full fully fun further future gain game gave general
  getting giant girl give given gives giving glad goal goes going gone good great ground group grow growing grows growth
  guess guide guy half hand hands hang happen happened happening happens happy hard harder hardly hate head heads hear
  heard heart heat heavy held hell help helped helping helps hidden high higher highest hint history hit hits hold
  holding holds hole home hope hopes host hot hour hours house huge human hundred hundreds hurt idea ideas ignore
  impact important impossible including increase incredible indeed inside instead interest interesting involve issue
  issues itself job join joins joint jump keep keeping keeps kept key kid kids kill kind king knew know knowing known knows
  lack land landmark large largest last late later latest laugh launch launches lead leader leaders leading leads
  learn learned learning least leave leaves leaving led left legal less let lets letter level lie life light like likely
  limit line list listen little live lives living local long longer look looking looks lose loses losing loss lost lot
  lots loud love low lower lowest luck mad main major maker making man manage many mark mass massive matter matters mean
  meaning means meant meet meeting meets mention mere mess message met middle million mind mine minute minutes miss
  missing mistake moment money month months morning mostly mother move moved moves moving much mystery name named names
  national near nearly need needed needs never newest next nice night nine nobody none nothing notice number numbers
  object obvious odd offer offers office official officially often old older once ones open opens opinion option order
  ordinary original other others otherwise ought outside overall own owner pace page paid pain pair paper part
  partner parts party pass past path pay paying pays peace people perfect perhaps period person personal phase pick picks
  picture piece place places plan planned planning plans play playing plays plenty point points poor popular position
  possible potential power powerful practice prepare present press pressure pretty prevent price prices private probably
  problem problems process produce program progress project promise promises proof proper protect proud prove proves
  provide public pull pulls pure purpose push pushes put puts putting quality question questions quick quickly quiet
  quietly quite race raise raised raises raising ran range rate rather reach reaches reaction read reading ready real
  reality really reason reasons recent recently red reduce remain remains remember remove report reported reportedly
  reports request require response rest result results return returns reveal revealed reveals rich right rise rising risk
  risks road role room round rule rules run running runs rush sad safe safely same save saves saving saw scale scare
  scene score search season seat second secret see seeing seek seeks seem seems seen sell selling sells send sends sense
  sent serious seriously serve service set sets setting seven several shape share shared shares sharp shift shock short
  shot show showed showing shows shut sick side sight sign signal signals signs silent similar simple simply single
  sit site situation six size slow slowly small smaller smart smooth soft sold solid solution solve somebody someone
  something sometimes somewhere soon sort sound source space speak special speed spend spending spent spread stage stand
  standard stands star start started starting starts state statement stay stays step steps stick still stock stop stopped
  stops store story straight strange street stress strong stronger struggle struggles stuck study stuff style subject
  success such sudden suddenly suffer suggest suggests sure surge surprise surprising surprisingly system table take taken takes
  taking talk talking talks target task taught teach team tell telling tells ten term terms terrible test tested testing
  thank themselves then thing things think thinking thinks third thought thousand thousands threat threatens three through
  throw thus tie tight time times tiny tired today together told tomorrow tonight took top total touch tough toward town
  track trade trap tried tries trip trouble true truly trust truth try trying turn turned turning turns twice two type
  unable understand understanding unexpected unless unlike unlikely until unusual upon upset use used useful user users
  uses using usual usually value various vast version victim view visit vital voice wait waiting wake walk wall want
  wanted wants war warn warned warning warns wash waste watch watching wave way ways weak wear week weekend weeks weigh weight
  weird welcome well went west whatever while white whole wide wild willing win wind window winner wins wish within
  without woman women won wonder word words work worked worker workers working works world worried worry worse worst worth
  write writes writing written wrong wrote yard year years yes yesterday yet young yourself zero
  company companies business startup industry market customer customers product products technology tech feature
  features tool tools app apps platform service services update updates data model models agent agents`
    .split(/\s+/)
    .map((word): Term => `w:${stemOf(word)}`),
);

export function isCommonTerm(term: Term): boolean {
  return commonTerms.has(term);
}
