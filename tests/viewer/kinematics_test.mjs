// node kinematics_test.mjs FOLDER COUNT: N.json has the poses of the bodies of N.data at some times.
import {readData} from '../../planner_ccd/viewer/web/src/data.js';
import {Motion} from '../../planner_ccd/viewer/web/src/kinematics.js';
import {expect, finish, inflated, poseError, readText} from './checks.mjs';

const [folder, count] = [process.argv[2], Number(process.argv[3])];
let checked = 0;
for (let i = 0; i < count; i++) {
  const motion = new Motion(readData(inflated(`${folder}/${i}.data`)));
  for (const {time, poses} of readText(`${folder}/${i}.json`)) {
    const error = poseError(motion.poses(time), poses);
    expect(error < 1e-11, `robot ${i} at ${time}: ${error}`);
    checked++;
  }
}
expect(checked === 18 * count, 'all times were checked');
finish();
