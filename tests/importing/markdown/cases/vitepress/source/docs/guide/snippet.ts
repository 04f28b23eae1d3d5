import x from "x"
// #region main
  const box = new Box()
// #endregion main
