"""The only folder of the engines that knows SAT and SMT solvers, which are loaded when they are needed."""
